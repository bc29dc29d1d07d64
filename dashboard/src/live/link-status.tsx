import type { FleetView } from './live-fleet.ts'

const texts = {
  connecting: 'Connecting…',
  live: 'Live',
  offline: 'The live connection is broken. Connecting again…',
  'signed-out': 'Your session has ended.',
  forbidden: 'You may not read positions.',
}

/** Whether positions arrive, and what could not be read. */
export function LinkStatus({ view, onRetry }: { readonly view: FleetView; readonly onRetry: () => void }) {
  return (
    <div className="link-status">
      <p role="status" data-link={view.link}>
        <span className="dot" aria-hidden="true" />
        {texts[view.link]}
      </p>
      {view.problem !== null && (
        <p className="problem" role="alert">
          {view.problem}{' '}
          <button type="button" onClick={onRetry}>
            Try again
          </button>
        </p>
      )}
    </div>
  )
}
