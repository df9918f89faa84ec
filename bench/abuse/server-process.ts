import { servePlatform } from '../platform-process.ts'

/** The whole platform, without model nodes. Its maintenance tasks run, because the task of the event triggers is one of them. */
await servePlatform({ role: 'all', clusterService: 'remote' })
