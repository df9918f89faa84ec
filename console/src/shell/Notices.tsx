import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

/** Where notices appear; loaded after the page, because the first page never needs one. */
export default function Notices() {
  return <Notifications position="bottom-right" autoClose={5_000} containerWidth={360} />
}
