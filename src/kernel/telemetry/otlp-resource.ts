import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources'

/** The process that traces and metrics are from. */
export interface ServiceIdentity {
  readonly serviceName: string
  readonly version: string
  /** Tells replicas apart; the same in traces and metrics. */
  readonly instanceId: string
}

export function createResource({ serviceName, version, instanceId }: ServiceIdentity): Resource {
  return defaultResource().merge(
    resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version,
      'service.instance.id': instanceId,
    }),
  )
}
