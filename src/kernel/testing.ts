/** For the tests of all modules. */

const times = 16
const rounds = 3

/**
 * How many times more processor time one input costs than `times` inputs of a sixteenth of its size: about 1 for linear work, 16 for
 * quadratic work. A growth does not depend on the speed of the machine; of several rounds, the best counts.
 */
export async function growthOf<Input>(
  make: (size: number) => Input,
  run: (input: Input) => unknown,
  size: number,
): Promise<number> {
  const small = make(size / times)
  const large = make(size)
  let [ofSmall, ofLarge] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < rounds; round += 1) {
    ofSmall = Math.min(ofSmall, await costOf(times, () => run(small)))
    ofLarge = Math.min(ofLarge, await costOf(1, () => run(large)))
  }
  return ofLarge / ofSmall
}

/** Between linear and quadratic work, far from both. */
export const maxGrowth = 4

/** In microseconds of this thread: other threads of the process, such as compilers, do not count. */
async function costOf(count: number, run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  for (let nth = 0; nth < count; nth += 1) await run()
  const { user, system } = process.threadCpuUsage(before)
  return Math.max(1, user + system)
}
