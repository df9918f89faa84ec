import { fstatSync, readFileSync, writeSync } from 'node:fs'
import { hookVersion, neededToolVersion } from '../hook-version.ts'
import type { Answer, HookCall, Protocol } from '../protocols/protocol.ts'
import { argumentProtocol, nativeProtocols } from '../protocols/protocols.ts'
import { toolVersion } from '../version.ts'
import { type HookParts, handleHook } from './hook.ts'

/** `tutti-tdd hook [JSON]` and `tutti-tdd hook --agent NAME < JSON`. On any error the call is allowed. */
export function runHook(args: readonly string[], load: HookParts): void {
  if (args[0] === '--version') {
    writeAll(1, `${JSON.stringify({ hook: hookVersion, needs: neededToolVersion, tool: toolVersion })}\n`)
    return
  }
  const agentAt = args.indexOf('--agent')
  const native = nativeProtocols.find(({ name }) => name === args[agentAt + 1])
  const protocol = agentAt < 0 ? argumentProtocol : native
  if (protocol === undefined) {
    complain(
      `unknown agent ${args[agentAt + 1] ?? ''}; known are ${nativeProtocols.map(({ name }) => name).join(', ')}`,
    )
    return
  }
  const { answer, problem } = answerText(
    protocol,
    () => (agentAt < 0 ? (args[0] ?? '{}') : readInput()),
    load,
  )
  if (problem !== undefined) complain(problem)
  if (answer.stdout !== undefined) writeAll(1, `${answer.stdout}\n`)
  if (answer.stderr !== undefined) writeAll(2, `${answer.stderr}\n`)
  process.exitCode = answer.exitCode ?? 0
}

function answerText(
  protocol: Protocol,
  input: () => string,
  load: HookParts,
): { answer: Answer; problem?: string } {
  let call: HookCall = { event: 'other', cwd: process.cwd() }
  try {
    call = protocol.read(JSON.parse(input()), call.cwd)
    const decision = handleHook(call, { agent: protocol.name, now: new Date(), load })
    return { answer: protocol.answer(decision, call) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { answer: protocol.answer({}, call), problem: reason }
  }
}

/** Reads standard input to its end; an empty object when it is a terminal. */
function readInput(): string {
  return fstatSync(0).isCharacterDevice() ? '{}' : readFileSync(0, 'utf8')
}

function complain(problem: string): void {
  writeAll(2, `tutti-tdd: ${problem.replace(/\s+/g, ' ').slice(0, 500)}; nothing was checked\n`)
}

/** Writes all bytes synchronously: the process exits right after, and a full pipe may accept only a part. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(descriptor, bytes, done)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
    }
  }
}
