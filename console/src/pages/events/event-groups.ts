export const eventGroups = ['executions', 'models', 'cluster', 'access', 'status', 'content'] as const
export type EventGroup = (typeof eventGroups)[number]

export const groupWords: Readonly<Record<EventGroup, string>> = {
  executions: 'Executions',
  models: 'Models',
  cluster: 'Cluster',
  access: 'Access',
  status: 'Status',
  content: 'Content',
}
