import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'

/** Change notifications between replicas: database triggers send one with each commit that changes identity tables. */
export interface Changes extends AsyncDisposable {
  /** Invokes the callback when accounts, roles or credentials changed, and after a reconnect, which may have missed some. */
  onPrincipals(clear: () => void): void
  onSigningKeys(reload: () => Promise<void>): void
  onRevoked(add: (id: string) => void, reloadAll: () => Promise<void>): void
  /** Notifies the callbacks of this process right after its own commit, before the database's notification arrives. */
  principalsChanged(): void
}

export async function followChanges({
  database,
  log,
}: {
  readonly database: Database
  readonly log: Logger
}): Promise<Changes> {
  const cacheClearers: (() => void)[] = []
  const keyReloaders: (() => Promise<void>)[] = []
  const revocations: { add: (id: string) => void; reloadAll: () => Promise<void> }[] = []

  const principalsChanged = () => {
    for (const clear of cacheClearers) clear()
  }
  const run = (reload: () => Promise<void>) => {
    reload().catch((error: unknown) =>
      log.warn({ err: error }, 'could not reload identity data after a change notification'),
    )
  }
  const signingKeysChanged = () => {
    for (const reload of keyReloaders) run(reload)
  }

  await using opening = new AsyncDisposableStack()
  opening.use(
    await database.listen(
      'identity_changed',
      (payload) => (payload === 'signing_keys' ? signingKeysChanged() : principalsChanged()),
      () => {
        principalsChanged()
        signingKeysChanged()
      },
    ),
  )
  opening.use(
    await database.listen(
      'identity_revoked',
      (id) => {
        for (const { add } of revocations) add(id)
      },
      () => {
        for (const { reloadAll } of revocations) run(reloadAll)
      },
    ),
  )
  const listening = opening.move()
  return {
    onPrincipals: (clear) => void cacheClearers.push(clear),
    onSigningKeys: (reload) => void keyReloaders.push(reload),
    onRevoked: (add, reloadAll) => void revocations.push({ add, reloadAll }),
    principalsChanged,
    [Symbol.asyncDispose]: () => listening.disposeAsync(),
  }
}
