/** Heartbeats of all streams of a server, with one timer per interval. */
export interface Heartbeats {
  /** Calls `beat` at the interval until it is disposed. */
  add(beat: () => void, everyMs: number): Disposable
}

/** Streams are spread over the interval, so that thousands of heartbeats do not block the event loop at once. */
const slotCount = 15

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
  const slots = Array.from({ length: slotCount }, () => new Set<() => void>())
  let count = 0
  let nextSlot = 0
  let currentSlot = 0
  const timer = setInterval(() => {
    for (const beat of slots[currentSlot] ?? []) beat()
    currentSlot = (currentSlot + 1) % slotCount
  }, everyMs / slotCount)
  return {
    add(beat) {
      const slot = slots[nextSlot]
      nextSlot = (nextSlot + 1) % slotCount
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
