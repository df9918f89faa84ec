/** Lets only so many tasks run at once; the others wait their turn in order. */
export function createLimiter(mostAtOnce: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      // The place goes straight to whoever waits next, so nobody can slip in between.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
