import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import { notify } from '../../../shell/notify.ts'
import { useEditing } from '../use-flow-editor.ts'

interface StopTryProps {
  /** Undefined when nothing is under way. */
  readonly execution: string | undefined
}

/** Ends a try before it is over. It is always there, so that nobody's focus goes with it. */
export function StopTry({ execution }: StopTryProps) {
  const api = useApi()
  const cache = useQueryClient()
  const { announce } = useEditing()
  const { mutate, isPending } = useMutation({
    mutationFn: (execution_id: string) =>
      bodyOf(
        api.client.POST('/ai-workflows/api/executions/{execution_id}/cancel', {
          params: { path: { execution_id } },
          body: { reason: 'Stopped in the editor.' },
        }),
      ),
    onSuccess: () => announce('It is stopped.'),
    onError: (error) => notify({ title: 'It could not be stopped', error }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['executions'] }),
  })
  return (
    <Button
      size="sm"
      variant="default"
      aria-disabled={isPending || execution === undefined}
      title={execution === undefined ? 'Nothing runs' : 'Stop what runs'}
      onClick={() => {
        if (!isPending && execution !== undefined) mutate(execution)
      }}
    >
      Stop
    </Button>
  )
}
