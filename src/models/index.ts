export { createModels, type Models, type ModelsOptions } from './models.ts'
export { type ModelsSettings, modelsSettings } from './settings.ts'
