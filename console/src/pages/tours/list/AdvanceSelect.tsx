import '../../../theme/mantine-form.css'
import { NativeSelect } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../api/api-context.ts'
import { notify } from '../../../shell/notify.ts'
import { saveAdvance, type Tour } from './tour-calls.ts'
import { advanceWords } from './tour-words.ts'

type Tip = Tour['tips'][number]

interface AdvanceSelectProps {
  readonly tour: string
  readonly tip: Tip
}

/** Chooses what continues a step besides its buttons. */
export function AdvanceSelect({ tour, tip }: AdvanceSelectProps) {
  const api = useApi()
  const cache = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (advance: Tip['advance']) => saveAdvance(api, tour, { step: tip.id, advance }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['tours'] }),
    onError: (error) => void notify({ title: 'The step was not changed', error }),
  })
  return (
    <NativeSelect
      size="xs"
      aria-label={`What continues “${tip.label}”`}
      disabled={isPending}
      value={tip.advance}
      data={Object.entries(advanceWords).map(([value, label]) => ({ value, label }))}
      onChange={({ currentTarget: { value } }) => mutate(value as Tip['advance'])}
    />
  )
}
