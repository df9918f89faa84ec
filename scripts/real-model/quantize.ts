const blockLength = 32
const blockBytes = 2 + blockLength

/** Quantises weights to integers from -127 to 127, with one factor per block of 32: a little more than a byte each. */
export function quantize(weights: Float32Array): Buffer {
  if (weights.length % blockLength !== 0) throw new Error('the number of weights must be a multiple of 32')
  const written = Buffer.alloc((weights.length / blockLength) * blockBytes)
  const half = new Float16Array(1)
  const halfBytes = Buffer.from(half.buffer)
  for (let block = 0; block < weights.length / blockLength; block += 1) {
    const values = weights.subarray(block * blockLength, (block + 1) * blockLength)
    const factor = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127
    half[0] = factor
    halfBytes.copy(written, block * blockBytes)
    for (const [index, value] of values.entries()) {
      written.writeInt8(factor === 0 ? 0 : Math.round(value / factor), block * blockBytes + 2 + index)
    }
  }
  return written
}

/** Writes weights as 32-bit floats. */
export function keep(weights: Float32Array): Buffer {
  return Buffer.from(weights.slice().buffer)
}
