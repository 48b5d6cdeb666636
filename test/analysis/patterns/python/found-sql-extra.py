from django.contrib.auth.models import User
from django.http import JsonResponse

def people(request):
    name = request.GET["name"]
    users = User.objects.extra(where=["username LIKE '%%" + name + "%%'"])  # found: python/sql error
    return JsonResponse({"users": list(users.values("id", "username"))})
