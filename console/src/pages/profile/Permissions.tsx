import { Skeleton } from '../../parts/Skeleton.tsx'
import styles from './ProfilePage.module.css'

/** What all roles of the account together allow. */
export function Permissions({ permissions }: { permissions: readonly string[] | undefined }) {
  if (permissions?.length === 0)
    return <p className={styles['none']}>This account has no permissions of its own.</p>
  return (
    <ul className={styles['permissions']} aria-busy={permissions === undefined}>
      {permissions === undefined
        ? [140, 96, 120, 160, 112, 132].map((width) => (
            <li key={width}>
              <Skeleton width={width} />
            </li>
          ))
        : permissions
            .toSorted((one, other) => one.localeCompare(other))
            .map((name) => <li key={name}>{name}</li>)}
    </ul>
  )
}
