import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'

/** What replicas tell each other: the triggers of the tables send it with the commit that changed them. */
export interface Changes extends AsyncDisposable {
  /** Calls back when accounts, roles or credentials changed, and when such news may have been missed. */
  onPrincipals(forget: () => void): void
  onSigningKeys(reload: () => Promise<void>): void
  onRevoked(add: (id: string) => void, reloadAll: () => Promise<void>): void
  /** Says here what was just committed here, without waiting for the message to come back. */
  principalsChanged(): void
}

export async function followChanges({
  database,
  log,
}: {
  readonly database: Database
  readonly log: Logger
}): Promise<Changes> {
  const forgetters: (() => void)[] = []
  const keyReloaders: (() => Promise<void>)[] = []
  const revocations: { add: (id: string) => void; reloadAll: () => Promise<void> }[] = []

  const principalsChanged = () => {
    for (const forget of forgetters) forget()
  }
  const run = (reload: () => Promise<void>) => {
    reload().catch((error: unknown) => log.warn({ err: error }, 'could not read what changed in identity'))
  }
  const signingKeysChanged = () => {
    for (const reload of keyReloaders) run(reload)
  }

  await using opening = new AsyncDisposableStack()
  opening.use(
    await database.listen(
      'identity_changed',
      (what) => (what === 'signing_keys' ? signingKeysChanged() : principalsChanged()),
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
    onPrincipals: (forget) => void forgetters.push(forget),
    onSigningKeys: (reload) => void keyReloaders.push(reload),
    onRevoked: (add, reloadAll) => void revocations.push({ add, reloadAll }),
    principalsChanged,
    [Symbol.asyncDispose]: () => listening.disposeAsync(),
  }
}
