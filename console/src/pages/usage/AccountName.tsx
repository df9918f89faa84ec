import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { userQuery } from '../../api/people-queries.ts'
import { profileQuery } from '../../api/queries.ts'

/** An account by its name; by the start of its id without the permission to read names. */
export function AccountName({ id }: { id: string }) {
  const name = useAccountName(id)
  return <span title={id}>{name}</span>
}

export function useAccountName(id: string): string {
  const api = useApi()
  const { data: profile } = useQuery(profileQuery(api))
  const isSelf = profile?.id === id
  const mayKnow = profile?.permissions.includes('administer users') === true
  const { data: user } = useQuery({
    ...userQuery(api, id),
    enabled: mayKnow && !isSelf && id !== '',
    staleTime: 60_000,
  })
  if (isSelf) return profile.username
  return user?.username ?? `${id.slice(0, 8)}…`
}
