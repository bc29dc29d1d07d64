// What the link pages do beside being read and sent. Without it they work too, but for the messages to a framing page.

const { dataset } = document.body

/** Who hears what happens: the page that frames this one or opened its window, where it is of an origin that may. */
const listener = parent === window ? window.opener : parent

const UNHEARD =
  'The page that has opened this one hears nothing of it: its origin is none of the link origins of the application.'

function tell(message) {
  const [framing] = location.ancestorOrigins ?? []
  const origins = (dataset.origins ?? '').split(' ').filter((origin) => origin !== '')
  // oxlint-disable-next-line no-console -- for developers, who see nothing else of it.
  if (listener && origins.length === 0) console.info(UNHEARD)
  for (const origin of origins)
    if (framing === undefined || framing === origin) listener?.postMessage(message, origin)
}

function announce() {
  if (dataset.message === 'SUCCESS') tell({ type: 'SUCCESS', payload: { publicToken: dataset.token } })
  else if (dataset.message) tell({ type: dataset.message })
}

function offerToClose() {
  if (!listener || !dataset.origins) return
  for (const button of document.querySelectorAll('[data-close]')) {
    button.hidden = false
    button.addEventListener('click', () => close(button.dataset.close))
  }
  addEventListener('keydown', ({ key, target }) => {
    if (key === 'Escape' && !(target instanceof HTMLInputElement)) close('CLOSE')
  })
}

/** A frame is closed by the page around it; a window closes by itself too. */
function close(type) {
  tell({ type })
  if (parent === window) window.close()
}

/** Looks again and again whether the run has got on, and then shows where it is. */
async function follow(seconds) {
  const isStill = async () => {
    const response = await fetch(location.href, { redirect: 'manual', headers: { accept: 'text/html' } })
    if (response.status >= 500) return true
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    return page.body.dataset.state === dataset.state
  }
  do await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  while (await isStill().catch(() => true))
  location.reload()
}

const SLOW_AFTER_MS = 12_000

function tellWhenSlow() {
  const status = document.querySelector('[data-slow]')
  if (status) setTimeout(() => (status.textContent = status.dataset.slow), SLOW_AFTER_MS)
}

function tellOfOtherTab() {
  const status = document.querySelector('[data-waiting]')
  document.querySelector('[data-elsewhere]')?.addEventListener('submit', () => {
    status.textContent = status.dataset.waiting
  })
}

const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()

/** Narrows down the providers that are there while a name is typed in; sent, the form finds the others too. */
function filterProviders() {
  const field = document.getElementById('q')
  const rows = [...document.querySelectorAll('[data-name]')]
  field?.addEventListener('input', () => {
    const wanted = plain(field.value)
    for (const row of rows) row.hidden = !plain(row.dataset.name).includes(wanted)
    tellFound(rows.filter((row) => !row.hidden).length)
  })
}

function tellFound(count) {
  const status = document.querySelector('.found')
  status.textContent = count === 1 ? status.dataset.one : status.dataset.many.replace('2', String(count))
  document.querySelector('[data-none]').hidden = count > 0
}

function offerToReveal() {
  for (const button of document.querySelectorAll('[data-reveal]')) {
    const field = document.getElementById(button.dataset.reveal)
    button.hidden = false
    button.addEventListener('click', () => {
      const isShown = field.type === 'password'
      field.type = isShown ? 'text' : 'password'
      button.firstElementChild.textContent = isShown ? button.dataset.hide : button.dataset.show
    })
    // What was shown is sent as a password, so that the browser does not keep it among what was typed in.
    field.form?.addEventListener('submit', () => (field.type = 'password'))
  }
}

announce()
offerToClose()
filterProviders()
offerToReveal()
tellWhenSlow()
tellOfOtherTab()
document.querySelector('[data-focus]')?.focus()
if (dataset.follow) void follow(Number(dataset.follow))
