export type { ObjectStore } from './object-store.ts'
export { openObjectStore } from './open-object-store.ts'
export { type ObjectsSettings, objectsSettings } from './settings.ts'
