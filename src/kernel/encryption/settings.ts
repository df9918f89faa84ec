import { defineSettings, refineSetting, type SettingsOf, setting } from '#kernel/config'

/** The secrets that stored values are encrypted with. */
export const encryptionSettings = defineSettings({
  secret: refineSetting(
    setting.secretText('TUTTI_SECRET', {
      about:
        'Secret that encrypts stored credentials, such as provider keys; random, 32 characters or more, the same for all replicas. Without it the embedded database uses one in a file of its data folder',
      optional: true,
    }),
    requireLength,
  ),
  previousSecret: refineSetting(
    setting.secretText('TUTTI_SECRET_PREVIOUS', {
      about: 'The previous TUTTI_SECRET, which still decrypts the values it encrypted',
      optional: true,
    }),
    requireLength,
  ),
  lostSecret: setting.text('TUTTI_SECRET_LOST', {
    about:
      'Key of a secret that is lost, as the refusal to start names it. What it encrypted stays unreadable; needed for one start',
    optional: true,
  }),
})

export type EncryptionSettings = SettingsOf<typeof encryptionSettings>

/** Guesses against a stolen backup are not rate limited, so the secret must be long. */
function requireLength(secret: string | undefined): string | undefined {
  if (secret === undefined || secret.length >= 32) return secret
  throw new Error('must have 32 characters or more; create one with `openssl rand -base64 32`')
}
