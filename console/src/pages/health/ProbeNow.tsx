import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { notify } from '../../shell/notify.ts'
import { healthQuery, statusKey } from './health-queries.ts'

/** Looks at everything once more, at once. */
export function ProbeNow() {
  const api = useApi()
  const cache = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => bodyOf(api.client.POST('/admin/llm/probe')),
    async onSuccess(health) {
      cache.setQueryData(healthQuery(api).queryKey, health)
      await cache.invalidateQueries({ queryKey: statusKey })
    },
    onError: (error) => notify({ title: 'The services were not looked at', error }),
  })
  return (
    <Button size="sm" variant="default" aria-disabled={isPending} onClick={() => isPending || mutate()}>
      {isPending ? 'Checking…' : 'Check now'}
    </Button>
  )
}
