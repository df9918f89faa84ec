export type { Purse, Reservation } from './budgets/purse.ts'
export { modelsMigrations } from './migrations.ts'
export { createModels, type Models, type ModelsOptions } from './models.ts'
export { clusterUrlOf, type ModelsSettings, modelsSettings } from './settings.ts'
