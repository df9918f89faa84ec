export type { AssociatedData } from './encrypted-text.ts'
export { createEncryption, type Encryption } from './encryption.ts'
export { encryptionFailureTable } from './errors.ts'
export { encryptionSettings } from './settings.ts'
