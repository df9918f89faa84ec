import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { profileQuery } from '../../api/queries.ts'

export const operatorPermission = 'administer cluster'

/** Whether the account may change the cluster; false while nobody knows, so that no button appears and goes. */
export function useMayOperate(): boolean {
  return useQuery(profileQuery(useApi())).data?.permissions.includes(operatorPermission) === true
}
