/** For the tests of all modules. */

const times = 16
/** Noise only adds to a cost, so further rounds are measured while the growth looks too large. */
const rounds = { atLeast: 3, atMost: 15 } as const

/** Between linear and quadratic work, far from both. */
export const maxGrowth = 4

/**
 * How many times more time one input costs than `times` inputs of a sixteenth of its size: about 1 for linear work, 16 for
 * quadratic work. A growth does not depend on the speed of the machine; of several rounds, the least costs count.
 */
export async function growthOf<Input>(
  make: (size: number) => Input,
  run: (input: Input) => unknown,
  size: number,
): Promise<number> {
  const small = make(size / times)
  const large = make(size)
  let [ofSmall, ofLarge] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 1; round <= rounds.atMost; round += 1) {
    ofSmall = Math.min(ofSmall, await costOf(times, () => run(small)))
    ofLarge = Math.min(ofLarge, await costOf(1, () => run(large)))
    if (round >= rounds.atLeast && ofLarge / ofSmall < maxGrowth) break
  }
  return ofLarge / ofSmall
}

/** In milliseconds. The processor time of a thread is counted in ticks of 4 ms, longer than most runs. */
async function costOf(count: number, run: () => unknown): Promise<number> {
  const startMs = performance.now()
  for (let nth = 0; nth < count; nth += 1) await run()
  return performance.now() - startMs
}
