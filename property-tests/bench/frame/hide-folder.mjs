/** Whose machine it was says nothing: its folder becomes ~ wherever a tab shows it. */
export const hideFolder = (tab, folder) =>
  tab.evaluate((home) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      if (text.data.includes(home)) text.data = text.data.replaceAll(home, '~');
  }, folder);
