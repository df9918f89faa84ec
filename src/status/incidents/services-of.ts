import { type ServiceName, serviceNames } from '../services/service.ts'

/** An incident of an earlier version may name a service that is no longer watched. */
export function isServiceName(name: string): name is ServiceName {
  return (serviceNames as readonly string[]).includes(name)
}
