// Parts of pages that are loaded when they are needed.

// When the server has new pages, the parts of this one are gone: it is an old one.
async function isOld(): Promise<boolean> {
  const own = document.querySelector("script[type=module]")?.getAttribute("src");
  const page = await fetch(location.href, { headers: { Accept: "text/html" } });
  return page.ok && !!own && !(await page.text()).includes(own);
}

/** What `load` gives, usually an `import()`. An old page gives way to the new one. */
export async function part<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (await isOld().catch(() => false)) location.reload();
    throw error;
  }
}
