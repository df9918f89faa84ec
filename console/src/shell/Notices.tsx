import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

/** The container of notifications; loaded after the page, because the first paint never needs it. */
export default function Notices() {
  return <Notifications position="bottom-right" autoClose={5_000} containerWidth={360} />
}
