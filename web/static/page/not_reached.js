// Loads the page again while the companion cannot be reached. A refresh by a meta element would not: it only
// scrolls where the address names a screen after "#".

setTimeout(() => location.reload(), 4000);
