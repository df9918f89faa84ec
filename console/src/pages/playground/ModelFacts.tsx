import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import { describePrice } from '../../parts/describe-amount.ts'
import { type Fact, Facts } from '../../parts/Facts.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { describeProvider } from '../providers/provider-words.ts'
import { anyModel, builtinModel, type CatalogueModel } from './catalogue.ts'
import styles from './ModelFacts.module.css'
import { describeTokenLimit } from './model-words.ts'

/** What there is to know about the chosen model before it is asked. */
export function ModelFacts({ name, model }: { name: string; model: CatalogueModel | undefined }) {
  if (model === undefined) {
    return (
      <p className={styles['note']}>
        {name === anyModel
          ? 'Whoever is best at the moment answers: the cluster first, then the cloud, then the text analysis that is built in. The answer says who it was, and what it cost.'
          : 'Nobody here has a model of this name.'}
      </p>
    )
  }
  return (
    <>
      {model.id === builtinModel ? (
        <p className={styles['note']}>
          <IconInfoCircle size={16} aria-hidden />
          <span>
            <strong>This is no language model.</strong> It counts and compares: language, readability, key
            phrases, a summary of whole sentences, mood and SEO. It is part of the platform and always there.
          </span>
        </p>
      ) : null}
      <Surface>
        <Facts facts={factsOf(model)} />
      </Surface>
    </>
  )
}

function factsOf(model: CatalogueModel): Fact[] {
  const { provider, state, loaded, context_length, max_output_tokens } = model
  return [
    { name: 'Provider', value: describeProvider(provider) },
    {
      name: 'State',
      value:
        state === 'available' ? (
          <Status tone="good" word={loaded && provider === 'ollama' ? 'Available, in memory' : 'Available'} />
        ) : (
          <Status tone="bad" word="Not available" />
        ),
    },
    { name: 'Context', value: describeTokenLimit(context_length) },
    ...(max_output_tokens === null
      ? []
      : [{ name: 'Longest answer', value: describeTokenLimit(max_output_tokens) }]),
    { name: 'Price', value: <Price pricing={model.pricing} /> },
  ]
}

function Price({ pricing: { source, input, cached_input, output, tiers } }: Pick<CatalogueModel, 'pricing'>) {
  if (source === 'free') return 'Free'
  if (input === null || cached_input === null || output === null) return 'No price known'
  const [longer] = tiers
  return (
    <span className={styles['price']}>
      <span>{describePrice(input)} in</span>
      {cached_input === input ? null : <span>{describePrice(cached_input)} in, cached</span>}
      <span>{describePrice(output)} out</span>
      <span className={styles['unit']}>for a million tokens</span>
      {longer === undefined ? null : (
        <span className={styles['unit']}>
          more from {longer.above_input_tokens.toLocaleString()} tokens of input on
        </span>
      )}
    </span>
  )
}
