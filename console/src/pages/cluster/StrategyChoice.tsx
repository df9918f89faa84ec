import '../../theme/mantine-form.css'
import { NativeSelect } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { notify } from '../../shell/notify.ts'
import type { StrategyName } from './cluster-bodies.ts'
import { clusterQuery } from './cluster-query.ts'
import { strategies } from './node-words.ts'
import styles from './StrategyChoice.module.css'

const choices = Object.entries(strategies).map(([value, { title }]) => ({ value, label: title }))

/** How a node is chosen for a request; a choice for those who may make it. */
export function StrategyChoice({ strategy, mayOperate }: { strategy: string; mayOperate: boolean }) {
  const api = useApi()
  const cache = useQueryClient()
  const aboutId = useId()
  const { mutate, variables, isPending } = useMutation({
    mutationFn: (wanted: StrategyName) =>
      bodyOf(api.client.PUT('/api/cluster/strategy', { body: { strategy: wanted } })),
    onSuccess: (answer) =>
      void cache.setQueryData(clusterQuery(api).queryKey, (view) => view && { ...view, ...answer }),
    onError: (error) => notify({ title: 'The strategy is as it was', error }),
  })
  const shown = isPending ? variables : strategy
  const known = isKnown(shown) ? strategies[shown] : { title: shown, about: '' }
  return (
    <>
      {mayOperate ? (
        <NativeSelect
          size="xs"
          aria-label="Strategy"
          aria-describedby={aboutId}
          className={styles['choice'] ?? ''}
          data={isKnown(shown) ? choices : [...choices, { value: shown, label: shown }]}
          value={shown}
          onChange={({ currentTarget: { value } }) => {
            if (isKnown(value)) mutate(value)
          }}
        />
      ) : (
        known.title
      )}
      <span id={aboutId} className={styles['about']}>
        {known.about}
      </span>
    </>
  )
}

function isKnown(strategy: string): strategy is StrategyName {
  return Object.hasOwn(strategies, strategy)
}
