// Loads the page again while the companion cannot be reached. A refresh by a meta element would not: an address
// with a screen after "#" is only scrolled to.

setTimeout(() => location.reload(), 4000);
