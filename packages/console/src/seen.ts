/** Resolves once the page is visible: at once, or when its tab is shown again. A hidden page sends nothing by itself. */
export async function seen() {
  while (document.hidden)
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }))
}
