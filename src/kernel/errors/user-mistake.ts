/** A mistake the person at the terminal can mend: printed as its message alone, never with a stack trace. */
export class UserMistake extends Error {
  override readonly name = 'UserMistake'
}
