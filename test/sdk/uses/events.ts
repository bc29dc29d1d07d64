import type { Event } from '@odograph/client'

/** Describes an event. Its type narrows `detail` to the records of that type. */
export function describe(event: Event): string {
  switch (event.type) {
    case 'vehicle.added':
    case 'vehicle.modified':
    case 'vehicle.removed':
      return `${event.type}: ${event.detail.vehicle.name}`
    case 'sync.failed':
      return `${event.detail.connection.provider.name}: ${event.detail.sync.failureReason}`
    case 'connection.disconnected':
      return `Sign in again at ${event.detail.connection.linkUrl}`
    default:
      return event.type
  }
}
