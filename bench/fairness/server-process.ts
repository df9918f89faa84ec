import { servePlatform } from '../platform-process.ts'

/** The whole platform, without model nodes. */
await servePlatform({ role: 'all', clusterService: 'remote', maintenance: false })
