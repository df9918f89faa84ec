export type { AssociatedData } from './encrypted-text.ts'
export { createEncryption, type Encryption, type EncryptionOptions } from './encryption.ts'
export { encryptionFailureTable } from './errors.ts'
export { type EncryptionSettings, encryptionSettings } from './settings.ts'
