import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Api } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import type { paths } from '../../api/schema.generated.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Status } from '../../parts/Status.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import styles from './ProviderTest.module.css'

type TestResult = paths['/api/v1/providers/test']['post']['responses'][200]['content']['application/json']

interface ProviderTestProps {
  readonly send: (api: Api) => Promise<TestResult>
}

const maxShown = 5

/** Tests the settings of a provider: lists its models, which costs nothing. */
export function ProviderTest({ send }: ProviderTestProps) {
  const api = useApi()
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => send(api) })
  return (
    <div className={styles['test']}>
      <Button
        size="sm"
        variant="default"
        aria-disabled={isPending}
        onClick={() => {
          if (!isPending) mutate()
        }}
      >
        {isPending ? 'Testing…' : 'Test connection'}
      </Button>
      <div role="status">
        {error === null || isPending ? null : (
          <FailureNotice what="The settings were not tested." error={error} onRetry={() => mutate()} />
        )}
        {data === undefined || isPending ? null : <Result result={data} />}
      </div>
    </div>
  )
}

function Result({ result }: { result: TestResult }) {
  const { ok, problem, latency_ms, models, total_models } = result
  if (!ok) {
    return (
      <>
        <Status tone="bad" word="Failed" />
        <p className={styles['about']}>{problem}</p>
      </>
    )
  }
  const more = total_models - Math.min(models.length, maxShown)
  return (
    <>
      <Status
        tone="good"
        word={`${total_models.toLocaleString()} ${total_models === 1 ? 'model' : 'models'}${latency_ms === null ? '' : `, ${describeMilliseconds(latency_ms)}`}`}
      />
      <p className={styles['about']}>
        {models.slice(0, maxShown).join(', ')}
        {more > 0 ? ` and ${more.toLocaleString()} more` : ''}
      </p>
    </>
  )
}
