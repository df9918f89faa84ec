import type { Claim, CrashMarks } from '#kernel/work'

/**
 * Finds out which execution crashes its workers: out of memory, a crash of native code, an abort. All executions that a worker has leased end
 * with it, so one death convicts none of them.
 *
 * | an execution | on                                                                          | next                                         |
 * |--------------|-----------------------------------------------------------------------------|----------------------------------------------|
 * | trusted      | its worker stops in order                                                   | trusted                                      |
 * | trusted      | its worker dies                                                             | suspect                                      |
 * | suspect      | it is to compute, and no other suspect of the process does                  | computing: a mark is stored before it begins |
 * | computing    | its steps only wait: for a model, an API, an event                          | suspect; the mark is removed                 |
 * | computing    | the same, and an outcome was committed since the worker claimed it          | trusted; its crashes are forgotten           |
 * | computing    | an outcome is committed, 10 s or more after it began to compute             | trusted; its crashes are forgotten           |
 * | computing    | its worker stops in order, or it ends                                       | suspect; trusted                             |
 * | computing    | its worker dies                                                             | suspect, with one crash more                 |
 * | suspect      | its worker dies                                                             | suspect: a kill or another one was to blame  |
 * | suspect      | is claimed with `maxCrashes` crashes                                        | failed                                       |
 *
 * The worker of a suspect computes no second suspect at the same time, so one death counts for one execution at most. A kill from outside
 * would have to hit the moments in which the same execution computes, twice in a row, before it has committed anything.
 */
export interface Probation {
  /** Resolves when the execution may compute. Rejects when its lease ends. */
  compute(): Promise<void>
  /** Called when all its steps wait. */
  rest(): Promise<void>
  /** Called when an outcome was committed. */
  advanced(): Promise<void>
}

/** A suspect that computes. */
export interface Suspect extends Probation {
  /** How often a worker died while it computed. */
  readonly crashes: number
  /** Called when its lease ends. `isOver`: it has ended, or is suspended. */
  leave(state: { readonly isOver: boolean }): Promise<void>
}

/** The suspects of one process. */
export interface Suspects {
  /** Resolves when the execution may compute. */
  begin(claim: SuspectClaim): Promise<Suspect>
}

type SuspectClaim = Pick<Claim<unknown>, 'key' | 'workerId' | 'signal'>

/**
 * A suspect that computes for longer, and whose outcomes are committed meanwhile, must not keep the others waiting. One that crashes its
 * worker begins where it did so before, and crashes it sooner.
 */
const maxTurnMs = 10_000

export function createSuspects(marks: CrashMarks): Suspects {
  const takeTurn = createTurns()
  return {
    async begin(claim) {
      let endTurn: (() => void) | undefined
      let computesSinceMs = 0
      let hasAdvanced = false
      let isTrusted = false

      async function mark(): Promise<number> {
        endTurn = await takeTurn(claim.signal)
        computesSinceMs = performance.now()
        return await marks.begin(claim)
      }

      async function unmark(remove: (of: SuspectClaim) => Promise<void>): Promise<void> {
        try {
          await remove(claim)
        } finally {
          endTurn?.()
          endTurn = undefined
        }
      }

      async function trust(): Promise<void> {
        isTrusted = true
        await unmark(marks.forget)
      }

      const crashes = await mark().catch((error: unknown) => {
        endTurn?.()
        throw error
      })
      return {
        crashes,
        async compute() {
          if (!isTrusted && endTurn === undefined) await mark()
        },
        async rest() {
          if (!isTrusted && endTurn !== undefined) await (hasAdvanced ? trust() : unmark(marks.pause))
        },
        async advanced() {
          hasAdvanced = true
          const computesLong = endTurn !== undefined && performance.now() - computesSinceMs > maxTurnMs
          if (!isTrusted && computesLong) await trust()
        },
        async leave({ isOver }) {
          if (isTrusted) return
          if (isOver) await unmark(marks.forget)
          else if (endTurn !== undefined) await unmark(marks.pause)
        },
      }
    },
  }
}

/** One after the other, in the order of their calls. The returned function waits for its turn, and resolves with the end of the turn. */
function createTurns(): (signal: AbortSignal) => Promise<() => void> {
  let last: Promise<void> = Promise.resolve()
  return async (signal) => {
    const before = last
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    last = before.then(() => ended)
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    try {
      signal.throwIfAborted()
      await Promise.race([before, aborted])
      return end
    } catch (error) {
      end()
      throw error
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }
}
