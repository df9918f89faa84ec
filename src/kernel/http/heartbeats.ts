/** Beats for all streams of a server, from one timer. */
export interface Heartbeats {
  /** Calls `beat` again and again, until it is disposed of. */
  add(beat: () => void, everyMs: number): Disposable
}

/** Streams that were opened together beat in turns, so that thousands of them do not keep everybody waiting at once. */
const turns = 15

export function createHeartbeats(): Heartbeats {
  const wheels = new Map<number, Wheel>()
  return {
    add(beat, everyMs) {
      const wheel = wheels.get(everyMs) ?? createWheel(everyMs, () => wheels.delete(everyMs))
      wheels.set(everyMs, wheel)
      return wheel.add(beat)
    },
  }
}

interface Wheel {
  add(beat: () => void): Disposable
}

function createWheel(everyMs: number, onEmpty: () => void): Wheel {
  const slots = Array.from({ length: turns }, () => new Set<() => void>())
  let count = 0
  let next = 0
  let turn = 0
  const timer = setInterval(() => {
    for (const beat of slots[turn] ?? []) beat()
    turn = (turn + 1) % turns
  }, everyMs / turns)
  return {
    add(beat) {
      const slot = slots[next]
      next = (next + 1) % turns
      slot?.add(beat)
      count += 1
      return {
        [Symbol.dispose]() {
          if (slot?.delete(beat) !== true) return
          count -= 1
          if (count > 0) return
          clearInterval(timer)
          onEmpty()
        },
      }
    },
  }
}
