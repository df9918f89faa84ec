import { Copyable } from '../../../parts/Copyable.tsx'
import { Facts } from '../../../parts/Facts.tsx'
import { Status } from '../../../parts/Status.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import styles from './TourFacts.module.css'
import type { Tour } from './tour-calls.ts'
import { launchWords } from './tour-words.ts'

export function TourFacts({ tour }: { tour: Tour }) {
  const { id, status, launch, routes, recipe_id, revision, created_at, updated_at, updated_by_name } = tour
  return (
    <Facts
      facts={[
        { name: 'Id', value: <Copyable text={id} what="id of the tour" /> },
        {
          name: 'State',
          value: status ? (
            <Status tone="good" word="Published" />
          ) : (
            <Status tone="idle" word="Draft" title="Visitors do not see it." />
          ),
        },
        {
          name: 'Shows on',
          value:
            routes.length === 0 ? (
              'No page yet: add one in the builder'
            ) : (
              <span className={styles['routes']}>
                {routes.map(({ route_name }) => (
                  <code key={route_name}>{route_name}</code>
                ))}
              </span>
            ),
        },
        { name: 'Begins', value: launchWords[launch] },
        { name: 'Recipe', value: recipe_id === null ? 'None' : <code>{recipe_id}</code> },
        {
          name: 'Changed',
          value: (
            <span>
              <RelativeTime at={updated_at} />
              {updated_by_name === null ? '' : ` by ${updated_by_name}`}, revision {revision}
            </span>
          ),
        },
        { name: 'Created', value: <RelativeTime at={created_at} /> },
      ]}
    />
  )
}
