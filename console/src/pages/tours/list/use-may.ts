import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/api-context.ts'
import { profileQuery } from '../../../api/queries.ts'

const covering = 'administer recipe tours'

/** The tour permissions of the account; none until the account is loaded. */
export function useMay() {
  const held = useQuery(profileQuery(useApi())).data?.permissions ?? []
  const may = (permission: string) => held.includes(permission) || held.includes(covering)
  return {
    create: may('create recipe tours'),
    edit: may('edit recipe tours'),
    delete: may('delete recipe tours'),
    export: may('export recipe tours'),
    administer: may(covering),
    seeAnalytics: may('view recipe tour analytics'),
  }
}
