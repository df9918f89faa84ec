/** A node sent an invalid HTTP response. The message contains nothing of it. */
export class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer'
}
