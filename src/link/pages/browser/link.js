// Progressive enhancement of the link pages. Without scripts the pages work, but the host page gets no messages.

const { dataset } = document.body

/**
 * Host page that receives the messages: the page that frames this one or opened its window, if its origin is
 * allowed.
 */
const host = parent === window ? window.opener : parent

const NO_ALLOWED_ORIGIN =
  'The page that opened this one receives no messages: its origin is not a link origin of the application.'

function postToHost(message) {
  const [framing] = location.ancestorOrigins ?? []
  const origins = (dataset.origins ?? '').split(' ').filter((origin) => origin !== '')
  // oxlint-disable-next-line no-console -- for developers: there is no other sign of the problem.
  if (host && origins.length === 0) console.info(NO_ALLOWED_ORIGIN)
  for (const origin of origins)
    if (framing === undefined || framing === origin) host?.postMessage(message, origin)
}

function postResult() {
  if (dataset.message === 'SUCCESS') postToHost({ type: 'SUCCESS', payload: { publicToken: dataset.token } })
  else if (dataset.message) postToHost({ type: dataset.message })
}

function enableCloseButtons() {
  if (!host || !dataset.origins) return
  for (const button of document.querySelectorAll('[data-close]')) {
    button.hidden = false
    button.addEventListener('click', () => close(button.dataset.close))
  }
  addEventListener('keydown', ({ key, target }) => {
    if (key === 'Escape' && !(target instanceof HTMLInputElement)) close('CLOSE')
  })
}

/** Requests to close the page. The host page closes a frame; a window also closes itself. */
function close(type) {
  postToHost({ type })
  if (parent === window) window.close()
}

/** Polls the state of the run and reloads the page when it changes. */
async function pollState(seconds) {
  const isUnchanged = async () => {
    const response = await fetch(location.href, { redirect: 'manual', headers: { accept: 'text/html' } })
    if (response.status >= 500) return true
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    return page.body.dataset.state === dataset.state
  }
  do await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  while (await isUnchanged().catch(() => true))
  location.reload()
}

/** The server uses the same value, in `select-view.ts`. */
const SLOW_AFTER_MS = 12_000

function showSlowNotice() {
  const status = document.querySelector('[data-slow]')
  if (status) setTimeout(() => (status.textContent = status.dataset.slow), SLOW_AFTER_MS)
}

function showWaitingNotice() {
  const status = document.querySelector('[data-waiting]')
  document.querySelector('[data-new-tab]')?.addEventListener('submit', () => {
    status.textContent = status.dataset.waiting
  })
}

const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()

/** Filters the listed providers while a name is entered. Submitting the form searches all providers. */
function filterProviders() {
  const field = document.getElementById('q')
  const rows = [...document.querySelectorAll('[data-name]')]
  field?.addEventListener('input', () => {
    const query = plain(field.value)
    for (const row of rows) row.hidden = !plain(row.dataset.name).includes(query)
    showCount(rows.filter((row) => !row.hidden).length)
  })
}

function showCount(count) {
  const status = document.querySelector('.found')
  status.textContent = count === 1 ? status.dataset.one : status.dataset.many.replace('2', String(count))
  document.querySelector('[data-none]').hidden = count > 0
}

function enablePasswordReveal() {
  for (const button of document.querySelectorAll('[data-reveal]')) {
    const field = document.getElementById(button.dataset.reveal)
    button.hidden = false
    button.addEventListener('click', () => {
      const isShown = field.type === 'password'
      field.type = isShown ? 'text' : 'password'
      button.firstElementChild.textContent = isShown ? button.dataset.hide : button.dataset.show
    })
    // A revealed value is sent as a password, so that the browser does not store it as form history.
    field.form?.addEventListener('submit', () => (field.type = 'password'))
  }
}

postResult()
enableCloseButtons()
filterProviders()
enablePasswordReveal()
showSlowNotice()
showWaitingNotice()
document.querySelector('[data-focus]')?.focus()
if (dataset.follow) void pollState(Number(dataset.follow))
