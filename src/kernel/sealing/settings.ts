import { defineSettings, refineSetting, type SettingsOf, setting } from '#kernel/config'

/** The secrets that what is stored sealed can be opened with. */
export const sealingSettings = defineSettings({
  secret: refineSetting(
    setting.secretText('TUTTI_SECRET', {
      about:
        'Seals secrets before they are stored, such as keys of providers; random, 32 characters or more, the same for all replicas. Without it the embedded database has one in a file beside it',
      optional: true,
    }),
    longEnough,
  ),
  previousSecret: refineSetting(
    setting.secretText('TUTTI_SECRET_PREVIOUS', {
      about: 'The TUTTI_SECRET before this one: still opens what it sealed',
      optional: true,
    }),
    longEnough,
  ),
})

export type SealingSettings = SettingsOf<typeof sealingSettings>

/** Nothing slows a guess down, so it must be one that nobody can guess. */
function longEnough(secret: string | undefined): string | undefined {
  if (secret === undefined || secret.length >= 32) return secret
  throw new Error('must be 32 characters or more, such as `openssl rand -base64 32` prints')
}
