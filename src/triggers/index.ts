export { triggerEventTypes } from './manage.ts'
export { addTriggerRoutes } from './routes/routes.ts'
export { createEndLookup, createTriggers, type Triggers } from './triggers.ts'
