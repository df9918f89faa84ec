/** A reason why there is no release, with its fix, for the person who runs the command. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError'
}
