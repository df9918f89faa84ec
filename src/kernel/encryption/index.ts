export { checkSecret } from './check-secret.ts'
export type { AssociatedData } from './encrypted-text.ts'
export { createEncryption, type Encryption } from './encryption.ts'
export { encryptionFailureTable } from './errors.ts'
export {
  type InstallationSecret,
  keyIdOf,
  readInstallationSecrets,
  storeInstallationSecret,
} from './installation-secrets.ts'
export { encryptionSettings } from './settings.ts'
