import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/api-context.ts'
import { profileQuery } from '../../../api/queries.ts'

const covering = 'administer recipe tours'

/** What the account may do with tours. Nothing, while nobody knows who is signed in. */
export function useMay() {
  const held = useQuery(profileQuery(useApi())).data?.permissions ?? []
  const may = (permission: string) => held.includes(permission) || held.includes(covering)
  return {
    create: may('create recipe tours'),
    edit: may('edit recipe tours'),
    delete: may('delete recipe tours'),
    export: may('export recipe tours'),
    seeAnalytics: may('view recipe tour analytics'),
  }
}
