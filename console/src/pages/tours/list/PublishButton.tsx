import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useApi } from '../../../api/api-context.ts'
import { notify } from '../../../shell/notify.ts'
import { changeTour, type Tour } from './tour-calls.ts'

interface PublishButtonProps {
  readonly tour: Pick<Tour, 'id' | 'label' | 'status'>
  readonly size: 'row' | 'page'
  readonly onChanged: () => Promise<void>
}

/** Publishes or unpublishes the tour. */
export function PublishButton({ tour: { id, label, status }, size, onChanged }: PublishButtonProps) {
  const api = useApi()
  const word = status ? 'Unpublish' : 'Publish'
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      await changeTour(api, id, { status: !status })
      await onChanged()
    },
    onSuccess: () =>
      notify({
        title: status ? `“${label}” is a draft again.` : `“${label}” is published.`,
        message: status ? 'Visitors no longer see it.' : 'Visitors see it on its pages.',
      }),
    onError: (error) => notify({ title: `“${label}” was not changed.`, error }),
  })
  return (
    <Button
      size={size === 'row' ? 'compact-xs' : 'compact-sm'}
      variant="default"
      aria-disabled={isPending}
      {...(size === 'row' ? { 'aria-label': `${word} ${label}` } : {})}
      onClick={() => {
        if (!isPending) mutate()
      }}
    >
      {word}
    </Button>
  )
}
