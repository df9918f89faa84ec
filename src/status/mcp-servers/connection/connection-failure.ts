/** Why a server could not be used, as a sentence without secrets. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure'
}
