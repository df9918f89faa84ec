/** What a node sent is not an answer as HTTP has it. Nothing of what it sent is part of the message. */
export class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer'
}
